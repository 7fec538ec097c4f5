"""When a tree stops: splits of different children that gain nothing, and what noise makes of them."""
