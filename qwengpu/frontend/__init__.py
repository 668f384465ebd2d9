"""From CUDA C++ to a typed program: compilers, PTX reader, program."""
