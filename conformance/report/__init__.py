"""Reports: live lines, the matrix, JUnit XML, the text of one case, doctor."""
