// Accepted and empty: what kernels use of it is predefined.
#pragma once
