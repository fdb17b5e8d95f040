"""The chain of jobs: run directories, resume, progress, runners and clusters."""
