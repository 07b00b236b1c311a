# SPDX-License-Identifier: MIT
# Finds an implementation of webgpu.h: wgpu-native, Dawn, or any other in a library named webgpu. Look in one folder with
#     find_package(WebGPU) and -DWebGPU_ROOT=FOLDER
# Gives the target WebGPU::WebGPU, and WebGPU_KIND: wgpu, dawn or other.
#
# The search is made anew each time: a build folder that is pointed at another FOLDER must not keep the old library.
find_path(WebGPU_INCLUDE_DIR webgpu/webgpu.h NO_CACHE)
find_library(WebGPU_LIBRARY NAMES wgpu_native webgpu_dawn webgpu NO_CACHE)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(WebGPU REQUIRED_VARS WebGPU_LIBRARY WebGPU_INCLUDE_DIR
    REASON_FAILURE_MESSAGE "It takes a folder with include/webgpu/webgpu.h and lib/, such as ordo's ./dev setup makes")

if(WebGPU_FOUND AND NOT TARGET WebGPU::WebGPU)
    if(WebGPU_LIBRARY MATCHES "wgpu_native")
        set(WebGPU_KIND wgpu)
    elseif(WebGPU_LIBRARY MATCHES "webgpu_dawn")
        set(WebGPU_KIND dawn)
    else()
        set(WebGPU_KIND other)
    endif()
    # wgpu-native's library has no SONAME: by this property a program still asks for it by name, not by path.
    if(WebGPU_LIBRARY MATCHES "\\.a$")
        add_library(WebGPU::WebGPU STATIC IMPORTED)
        set_target_properties(WebGPU::WebGPU PROPERTIES INTERFACE_LINK_LIBRARIES "m;dl;pthread")
    else()
        add_library(WebGPU::WebGPU SHARED IMPORTED)
        if(WebGPU_KIND STREQUAL wgpu)
            set_target_properties(WebGPU::WebGPU PROPERTIES IMPORTED_NO_SONAME TRUE)
        endif()
    endif()
    set_target_properties(WebGPU::WebGPU PROPERTIES IMPORTED_LOCATION ${WebGPU_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${WebGPU_INCLUDE_DIR})
endif()
