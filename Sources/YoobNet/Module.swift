// Stands until the module's first file.
