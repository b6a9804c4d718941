/*
 * Switching stacks.  A suspended context is its stack pointer; callee-saved registers and the
 * floating-point environment (both control words, flags of exceptions) lie on its stack.
 */
	.text

/* void fiber_switch(uint64_t *save_sp, uint64_t to_sp, uint64_t to_fs) */
	.globl	fiber_switch
	.hidden	fiber_switch
	.type	fiber_switch, @function
fiber_switch:
	.cfi_startproc
	push	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	push	%rbx
	.cfi_adjust_cfa_offset 8
	push	%r12
	.cfi_adjust_cfa_offset 8
	push	%r13
	.cfi_adjust_cfa_offset 8
	push	%r14
	.cfi_adjust_cfa_offset 8
	push	%r15
	.cfi_adjust_cfa_offset 8
	sub	$8, %rsp
	.cfi_adjust_cfa_offset 8
	stmxcsr	(%rsp)
	fnstcw	4(%rsp)
	fnstsw	6(%rsp)
	mov	%rsp, (%rdi)
	mov	%rsi, %rsp
	/* Zero: the thread pointer has been set another way. */
	test	%rdx, %rdx
	jz	1f
	wrfsbase %rdx
1:	ldmxcsr	(%rsp)
	/* Flags of exceptions are a thread's own, but differ so rarely that the slow way will do. */
	fnstsw	%ax
	xor	6(%rsp), %ax
	test	$0x7f, %al
	jz	2f
	mov	6(%rsp), %ax
	sub	$32, %rsp
	fnstenv	(%rsp)
	and	$0x7f, %ax
	andw	$0xff80, 4(%rsp)
	or	%ax, 4(%rsp)
	fldenv	(%rsp)
	add	$32, %rsp
2:	fldcw	4(%rsp)
	add	$8, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	ret
	.cfi_endproc
	.size	fiber_switch, .-fiber_switch

/* First code of a fresh context: r12 = function, no way back. */
	.globl	fiber_first
	.hidden	fiber_first
	.type	fiber_first, @function
fiber_first:
	.cfi_startproc
	.cfi_undefined rip
	xor	%ebp, %ebp
	call	*%r12
	ud2
	.cfi_endproc
	.size	fiber_first, .-fiber_first

/* void fiber_call(uint64_t sp, void (*function)(void)): abandons the current frames. */
	.globl	fiber_call
	.hidden	fiber_call
	.type	fiber_call, @function
fiber_call:
	.cfi_startproc
	.cfi_undefined rip
	/* The same place where a prepared context begins: all engines start a thread alike. */
	lea	-16(%rdi), %rsp
	xor	%ebp, %ebp
	call	*%rsi
	ud2
	.cfi_endproc
	.size	fiber_call, .-fiber_call

	.section .note.GNU-stack, "", @progbits
