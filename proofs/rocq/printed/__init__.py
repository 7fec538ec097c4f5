"""What is printed, by subject: each module yields definitions, those that are called first."""
