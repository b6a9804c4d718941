/*
 * heddle_record_spill: called by code in the program when a word is full.  Argument in %rdi, result
 * in %rax; every other general register is preserved (LLVM's preserve_most), so that the code around
 * the call keeps its values where they are.
 */
	.text
	.globl heddle_record_spill
	.type heddle_record_spill, @function
heddle_record_spill:
	.cfi_startproc
	push %rcx
	push %rdx
	push %rsi
	push %rdi
	push %r8
	push %r9
	push %r10
	push %r11
	.cfi_adjust_cfa_offset 64
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	call rec_stream_spill
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	pop %r11
	pop %r10
	pop %r9
	pop %r8
	pop %rdi
	pop %rsi
	pop %rdx
	pop %rcx
	.cfi_adjust_cfa_offset -64
	ret
	.cfi_endproc
	.size heddle_record_spill, . - heddle_record_spill
	.section .note.GNU-stack,"",@progbits
