"""Pictures of the papers' tables and figures."""
