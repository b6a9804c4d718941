/*
 * heddle_record_spill: called by code in the program when a word is full.  Argument in %rdi, result
 * in %rax; every other general register is preserved (LLVM's preserve_most), so that the code around
 * the call keeps its values where they are.  A signal may come in anywhere, and its stack be walked: the
 * offset is told push by push.
 */
	.text
	.globl heddle_record_spill
	.type heddle_record_spill, @function
heddle_record_spill:
	.cfi_startproc
	push %rcx
	.cfi_adjust_cfa_offset 8
	push %rdx
	.cfi_adjust_cfa_offset 8
	push %rsi
	.cfi_adjust_cfa_offset 8
	push %rdi
	.cfi_adjust_cfa_offset 8
	push %r8
	.cfi_adjust_cfa_offset 8
	push %r9
	.cfi_adjust_cfa_offset 8
	push %r10
	.cfi_adjust_cfa_offset 8
	push %r11
	.cfi_adjust_cfa_offset 8
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	call rec_stream_spill
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	pop %r11
	.cfi_adjust_cfa_offset -8
	pop %r10
	.cfi_adjust_cfa_offset -8
	pop %r9
	.cfi_adjust_cfa_offset -8
	pop %r8
	.cfi_adjust_cfa_offset -8
	pop %rdi
	.cfi_adjust_cfa_offset -8
	pop %rsi
	.cfi_adjust_cfa_offset -8
	pop %rdx
	.cfi_adjust_cfa_offset -8
	pop %rcx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size heddle_record_spill, . - heddle_record_spill
	.section .note.GNU-stack,"",@progbits
