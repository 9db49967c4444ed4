// SPDX-License-Identifier: GPL-3.0-or-later
// What each form of result holds: one description, from which schemas are made (result_schema.h).
#pragma once

namespace trainwright::reports {

extern const char* const kResultForms;

}  // namespace trainwright::reports
