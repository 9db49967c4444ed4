# SPDX-License-Identifier: GPL-3.0-or-later
# Flags that every target shares, and the function that declares a room's library.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache leaves precompiled headers alone unless it is told which of their macros don't matter.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

add_library(trainwright_flags INTERFACE)
target_include_directories(trainwright_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(trainwright_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
# g++ 12 warns of overlaps, bounds and unset values that can't be where it inlines std::string and std::optional (its
# bugs 105651, 105329 and 80635, mended in 13): these four are not for it.
target_compile_options(trainwright_flags INTERFACE
  "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-array-bounds;-Wno-maybe-uninitialized;-Wno-stringop-overflow>")
# Same digits on every machine: no fused multiply-add that one processor has and another hasn't.
target_compile_options(trainwright_flags INTERFACE -ffp-contract=off)
# Another compiler may know new warnings, which should not keep its user from building.
if(TRAINWRIGHT_WERROR STREQUAL "AUTO")
  set(known_compiler $<OR:$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>,$<AND:$<CXX_COMPILER_ID:Clang>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,15>>>)
  target_compile_options(trainwright_flags INTERFACE $<${known_compiler}:-Werror>)
elseif(TRAINWRIGHT_WERROR)
  target_compile_options(trainwright_flags INTERFACE -Werror)
endif()
if(TRAINWRIGHT_SANITIZE)
  add_compile_options(-fsanitize=${TRAINWRIGHT_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TRAINWRIGHT_SANITIZE})
endif()
if(TRAINWRIGHT_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()

# trainwright_room(NAME SOURCES … LINKS …): a static library of one room.
function(trainwright_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINKS" ${ARGN})
  add_library(trainwright_${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(trainwright_${name} PUBLIC trainwright_flags ${ROOM_LINKS})
endfunction()
