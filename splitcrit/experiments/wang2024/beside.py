def finished(name, rows, options):
    return f"{len(rows)} rows"
