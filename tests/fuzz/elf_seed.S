/* A small instrumented object: the seed of fuzz_elf. */
	.data
	.globl counter
	.type counter, @object
	.size counter, 8
counter:
	.quad 0
	.text
	.globl work
	.type work, @function
work:
	ret
	.size work, . - work
	.section heddle_strs, "a", @progbits
.Lfile:	.asciz "prog.c"
.Ldir:	.asciz "/build"
.Lfunc:	.asciz "work"
.Lname:	.asciz "counter"
	.section heddle_sites, "a", @progbits
.Lsite:	.long .Lfile - .Lsite, .Ldir - .Lsite, .Lfunc - .Lsite, .Lname - .Lsite, 12
	.short 3
	.byte 1, 8
	.long 0, 1
	.section .note.GNU-stack, "", @progbits
