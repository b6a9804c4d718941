/*
 * The red-black trees of std::map and std::set, whose links the shared library would change unseen.
 *
 * The head of a tree is a node too: its parent is the root, its left and right are the first and
 * the last node; it is red, which tells it from a root.  Everything here keeps that, and the rules
 * of the colours: a red node has black children, every path down has as many black nodes.
 */
#ifndef HEDDLE_CXX_STL_TREE_H
#define HEDDLE_CXX_STL_TREE_H

#include_next <bits/stl_tree.h>

namespace std _GLIBCXX_VISIBILITY(default)
{
_GLIBCXX_BEGIN_NAMESPACE_VERSION

namespace __heddle
{

typedef _Rb_tree_node_base *__node;

/* What pointed to old as a child of its parent (or as the root) points to fresh. */
inline void __replace_child(__node __old, __node __fresh, __node &__root)
{
	if (__root == __old)
		__root = __fresh;
	else if (__old->_M_parent->_M_left == __old)
		__old->_M_parent->_M_left = __fresh;
	else
		__old->_M_parent->_M_right = __fresh;
}

/* A node goes down on one side, the child on the other comes up into its place. */
inline void __rotate(__node __down, bool __to_left, __node &__root)
{
	const __node __up = __to_left ? __down->_M_right : __down->_M_left;
	const __node __moves = __to_left ? __up->_M_left : __up->_M_right;

	(__to_left ? __down->_M_right : __down->_M_left) = __moves;
	if (__moves)
		__moves->_M_parent = __down;
	__replace_child(__down, __up, __root);
	__up->_M_parent = __down->_M_parent;
	(__to_left ? __up->_M_left : __up->_M_right) = __down;
	__down->_M_parent = __up;
}

inline bool __is_black(const _Rb_tree_node_base *__x)
{
	return !__x || __x->_M_color == _S_black;
}

/* x is red and so may be its parent: the only rule that is broken, mended on the way up. */
inline void __mend_red(__node __x, __node &__root)
{
	while (__x != __root && !__is_black(__x->_M_parent)) {
		__node __parent = __x->_M_parent;
		const __node __top = __parent->_M_parent;
		const bool __left = __top->_M_left == __parent;
		const __node __uncle = __left ? __top->_M_right : __top->_M_left;

		__top->_M_color = _S_red;
		if (!__is_black(__uncle)) {
			__uncle->_M_color = __parent->_M_color = _S_black;
			__x = __top;
			continue;
		}
		if (__x == (__left ? __parent->_M_right : __parent->_M_left)) {
			__rotate(__parent, __left, __root);
			__parent = __x;
		}
		__parent->_M_color = _S_black;
		__rotate(__top, !__left, __root);
		break;
	}
	__root->_M_color = _S_black;
}

/* Paths through x (which may be null, below parent) have one black node too few. */
inline void __mend_black(__node __x, __node __parent, __node &__root)
{
	while (__x != __root && __is_black(__x)) {
		const bool __left = __parent->_M_left == __x;
		__node __other = __left ? __parent->_M_right : __parent->_M_left;

		if (!__is_black(__other)) {
			__other->_M_color = _S_black;
			__parent->_M_color = _S_red;
			__rotate(__parent, __left, __root);
			__other = __left ? __parent->_M_right : __parent->_M_left;
		}
		__node __near = __left ? __other->_M_left : __other->_M_right;
		__node __far = __left ? __other->_M_right : __other->_M_left;

		if (__is_black(__near) && __is_black(__far)) {
			__other->_M_color = _S_red;
			__x = __parent;
			__parent = __x->_M_parent;
			continue;
		}
		if (__is_black(__far)) {
			__near->_M_color = _S_black;
			__other->_M_color = _S_red;
			__rotate(__other, !__left, __root);
			__far = __other;
			__other = __near;
		}
		__other->_M_color = __parent->_M_color;
		__parent->_M_color = __far->_M_color = _S_black;
		__rotate(__parent, __left, __root);
		break;
	}
	if (__x)
		__x->_M_color = _S_black;
}

inline __node __next(__node __x)
{
	if (__x->_M_right)
		return _Rb_tree_node_base::_S_minimum(__x->_M_right);
	__node __above = __x->_M_parent;

	while (__x == __above->_M_right) {
		__x = __above;
		__above = __x->_M_parent;
	}
	/* The head of a tree with one node: its parent is the node, whose right is nothing. */
	return __x->_M_right != __above ? __above : __x;
}

inline __node __previous(__node __x)
{
	if (!__is_black(__x) && __x->_M_parent->_M_parent == __x)
		return __x->_M_right; /* the head */
	if (__x->_M_left)
		return _Rb_tree_node_base::_S_maximum(__x->_M_left);
	__node __above = __x->_M_parent;

	while (__x == __above->_M_left) {
		__x = __above;
		__above = __x->_M_parent;
	}
	return __above;
}

/* Two nodes below z: its successor y takes its place, links and colour. */
inline void __take_place(__node __z, __node __y, __node &__root)
{
	__z->_M_left->_M_parent = __y;
	__y->_M_left = __z->_M_left;
	if (__y != __z->_M_right) {
		__y->_M_parent->_M_left = __y->_M_right;
		if (__y->_M_right)
			__y->_M_right->_M_parent = __y->_M_parent;
		__y->_M_right = __z->_M_right;
		__z->_M_right->_M_parent = __y;
	}
	__replace_child(__z, __y, __root);
	__y->_M_parent = __z->_M_parent;
}

}

_GLIBCXX_PURE inline _Rb_tree_node_base *_Rb_tree_increment(_Rb_tree_node_base *__x) throw()
{
	return __heddle::__next(__x);
}

_GLIBCXX_PURE inline const _Rb_tree_node_base *
_Rb_tree_increment(const _Rb_tree_node_base *__x) throw()
{
	return __heddle::__next(const_cast<_Rb_tree_node_base *>(__x));
}

_GLIBCXX_PURE inline _Rb_tree_node_base *_Rb_tree_decrement(_Rb_tree_node_base *__x) throw()
{
	return __heddle::__previous(__x);
}

_GLIBCXX_PURE inline const _Rb_tree_node_base *
_Rb_tree_decrement(const _Rb_tree_node_base *__x) throw()
{
	return __heddle::__previous(const_cast<_Rb_tree_node_base *>(__x));
}

inline void _Rb_tree_insert_and_rebalance(const bool __insert_left, _Rb_tree_node_base *__x,
					  _Rb_tree_node_base *__p,
					  _Rb_tree_node_base &__header) throw()
{
	__x->_M_parent = __p;
	__x->_M_left = __x->_M_right = 0;
	__x->_M_color = _S_red;
	if (__insert_left) {
		__p->_M_left = __x; /* below the head it is the first node by that */
		if (__p == &__header)
			__header._M_parent = __header._M_right = __x;
		else if (__p == __header._M_left)
			__header._M_left = __x;
	} else {
		__p->_M_right = __x;
		if (__p == __header._M_right)
			__header._M_right = __x;
	}
	__heddle::__mend_red(__x, __header._M_parent);
}

inline _Rb_tree_node_base *_Rb_tree_rebalance_for_erase(_Rb_tree_node_base *const __z,
							_Rb_tree_node_base &__header) throw()
{
	_Rb_tree_node_base *&__root = __header._M_parent;
	_Rb_tree_node_base *__x, *__parent;
	_Rb_tree_color __lost = __z->_M_color;

	if (__z->_M_left && __z->_M_right) {
		_Rb_tree_node_base *const __y = _Rb_tree_node_base::_S_minimum(__z->_M_right);

		__x = __y->_M_right;
		__parent = __y == __z->_M_right ? __y : __y->_M_parent;
		__heddle::__take_place(__z, __y, __root);
		__lost = __y->_M_color;
		__y->_M_color = __z->_M_color;
	} else {
		__x = __z->_M_left ? __z->_M_left : __z->_M_right;
		__parent = __z->_M_parent;
		if (__x)
			__x->_M_parent = __parent;
		__heddle::__replace_child(__z, __x, __root);
		if (__header._M_left == __z)
			__header._M_left = __x ? _Rb_tree_node_base::_S_minimum(__x) : __parent;
		if (__header._M_right == __z)
			__header._M_right = __x ? _Rb_tree_node_base::_S_maximum(__x) : __parent;
	}
	if (__lost == _S_black)
		__heddle::__mend_black(__x, __parent, __root);
	return __z;
}

_GLIBCXX_END_NAMESPACE_VERSION
}

#endif
