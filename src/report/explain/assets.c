#include "report/explain/assets.h"

#define ASSET(name, file)                                                                          \
	__asm__(".pushsection .rodata\n"                                                           \
		".globl " name "\n"                                                                \
		".hidden " name "\n" name ":\n"                                                    \
		".incbin \"" REPORT_ASSETS "/" file "\"\n"                                         \
		".byte 0\n"                                                                        \
		".popsection\n")

ASSET("report_asset_explain_css", "explain.css");
ASSET("report_asset_explain_js", "explain.js");
ASSET("report_asset_explain_html", "explain.html");
