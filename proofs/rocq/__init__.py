"""Proofs in Rocq about definitions that the library's own code objects print, and what prints and checks them."""
