# SPDX-License-Identifier: MIT
# find_package(ordo) gives ordo::ordo. It calls webgpu.h and brings no implementation of it: link the one your program
# uses anyway. Either define the target WebGPU::WebGPU before this call (an alias of your own Dawn, say), or let
# FindWebGPU.cmake beside this file look for a folder with include/ and lib/, named by WebGPU_ROOT.
include(CMakeFindDependencyMacro)
if(NOT TARGET WebGPU::WebGPU)
    list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
    find_dependency(WebGPU)
    list(POP_BACK CMAKE_MODULE_PATH)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/ordoTargets.cmake)
