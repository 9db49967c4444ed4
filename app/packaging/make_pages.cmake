# SPDX-License-Identifier: GPL-3.0-or-later
# Writes manual pages and completions with the program that was just built:
#   cmake -D PROGRAM=… -D SHARE=… -D GZIP=… -P make_pages.cmake
# SHARE is the folder that becomes share/ of an installation.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Pages of commands that are gone are not to stay.
file(REMOVE_RECURSE ${SHARE}/man ${SHARE}/completions)
file(MAKE_DIRECTORY ${SHARE}/man/man1 ${SHARE}/completions)

run(${PROGRAM} man --output ${SHARE}/man/man1)
file(GLOB pages ${SHARE}/man/man1/*.1)
run(${GZIP} -9nf ${pages})

run(${PROGRAM} completion bash OUTPUT_FILE ${SHARE}/completions/trainwright)
run(${PROGRAM} completion zsh OUTPUT_FILE ${SHARE}/completions/_trainwright)
run(${PROGRAM} completion fish OUTPUT_FILE ${SHARE}/completions/trainwright.fish)
