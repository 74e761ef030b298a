"""The tables and figures of four papers, computed anew from public files and from runs, beside what the papers print."""
