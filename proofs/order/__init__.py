"""Which criteria keep the order of two splits of a node under which label noise, and which let them change places."""
