/* Files that are part of the program: src/report/assets, put in when it is built. */
#ifndef HEDDLE_REPORT_ASSETS_H
#define HEDDLE_REPORT_ASSETS_H

extern const char report_asset_explain_css[], report_asset_explain_js[],
	report_asset_explain_html[];

#endif
