"""Tools over Memory for AI clients. The only place that knows the MCP library."""
