#include "ir/module.h"

#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "base/fs.h"
#include "base/log.h"

/* The last diagnostic of the context; the tool works on one module at a time. */
static char last_diagnostic[512];

static void keep_diagnostic(LLVMDiagnosticInfoRef info, void *unused)
{
	char *text = LLVMGetDiagInfoDescription(info);

	if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
		strncpy(last_diagnostic, text, sizeof(last_diagnostic) - 1);
	else
		log_debug(LOG_IR, "%s", text);
	LLVMDisposeMessage(text);
}

LLVMContextRef ir_context_new(void)
{
	LLVMContextRef ctx = LLVMContextCreate();

	LLVMContextSetDiagnosticHandler(ctx, keep_diagnostic, NULL);
	return ctx;
}

static const char *diagnostic_or(const char *text)
{
	return last_diagnostic[0] ? last_diagnostic : text;
}

int ir_module_parse(LLVMContextRef ctx, const void *bytes, size_t n, LLVMModuleRef *out,
		    struct err *e)
{
	LLVMMemoryBufferRef buffer;
	LLVMBool failed;

	last_diagnostic[0] = 0;
	*out = NULL;
	buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, n, "bitcode");
	failed = LLVMParseBitcodeInContext2(ctx, buffer, out);
	LLVMDisposeMemoryBuffer(buffer);
	if (failed)
		return err_set(e, ERR_FORMAT, "unreadable bitcode: %s", diagnostic_or("malformed"));
	return 0;
}

int ir_module_write(LLVMModuleRef mod, const char *path, struct err *e)
{
	LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(mod);
	int rc = fs_write_file(path, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), e);

	LLVMDisposeMemoryBuffer(buffer);
	return rc;
}

int ir_module_run_passes(LLVMModuleRef mod, const char *pipeline, struct err *e)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef failure = LLVMRunPasses(mod, pipeline, NULL, options);
	char *text;
	int rc = 0;

	LLVMDisposePassBuilderOptions(options);
	if (failure) {
		text = LLVMGetErrorMessage(failure);
		rc = err_set(e, ERR_INTERNAL, "passes \"%s\": %s", pipeline, text);
		LLVMDisposeErrorMessage(text);
	}
	return rc;
}

int ir_module_verify(LLVMModuleRef mod, struct err *e)
{
	char *text = NULL;
	int rc = 0;

	if (LLVMVerifyModule(mod, LLVMReturnStatusAction, &text)) {
		text[strcspn(text, "\n")] = 0;
		rc = err_set(e, ERR_INTERNAL, "broken module: %s", text);
	}
	LLVMDisposeMessage(text);
	return rc;
}

int ir_module_link(LLVMModuleRef mod, LLVMModuleRef from, struct err *e)
{
	last_diagnostic[0] = 0;
	if (LLVMLinkModules2(mod, from))
		return err_set(e, ERR_INTERNAL, "linking modules: %s", diagnostic_or("conflict"));
	return 0;
}
