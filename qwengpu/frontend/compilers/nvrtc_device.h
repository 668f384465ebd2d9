// What CUDA C++ expects to find predefined and NVRTC does not have. Included before every kernel.
#pragma once
#include "assert.h"
#include "stddef.h"
