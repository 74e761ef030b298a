"""Parts of this library in the tools of others."""
