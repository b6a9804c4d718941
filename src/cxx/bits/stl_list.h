/* The links of std::list, which the shared library would change unseen. */
#ifndef HEDDLE_CXX_STL_LIST_H
#define HEDDLE_CXX_STL_LIST_H

/* The library's own needs what <list> includes before it. */
#include <bits/stl_algobase.h>
#include <bits/allocator.h>
#include <bits/range_access.h>
#include_next <bits/stl_list.h>

namespace std _GLIBCXX_VISIBILITY(default)
{
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace __detail
{

inline void _List_node_base::_M_hook(_List_node_base *const __position) _GLIBCXX_USE_NOEXCEPT
{
	_M_next = __position;
	_M_prev = __position->_M_prev;
	_M_prev->_M_next = this;
	__position->_M_prev = this;
}

inline void _List_node_base::_M_unhook() _GLIBCXX_USE_NOEXCEPT
{
	_M_prev->_M_next = _M_next;
	_M_next->_M_prev = _M_prev;
}

/* [first, last) leaves its list and comes to stand before this node. */
inline void _List_node_base::_M_transfer(_List_node_base *const __first,
					 _List_node_base *const __last) _GLIBCXX_USE_NOEXCEPT
{
	if (this == __last)
		return;
	_List_node_base *const __tail = __last->_M_prev;

	__first->_M_prev->_M_next = __last;
	__last->_M_prev = __first->_M_prev;
	__first->_M_prev = _M_prev;
	_M_prev->_M_next = __first;
	__tail->_M_next = this;
	_M_prev = __tail;
}

inline void _List_node_base::_M_reverse() _GLIBCXX_USE_NOEXCEPT
{
	_List_node_base *__node = this;

	do {
		_List_node_base *const __after = __node->_M_next;

		__node->_M_next = __node->_M_prev;
		__node->_M_prev = __after;
		__node = __after;
	} while (__node != this);
}

/* Exchanges the nodes behind two list heads, either of which may have none. */
inline void _List_node_base::swap(_List_node_base &__x, _List_node_base &__y) _GLIBCXX_USE_NOEXCEPT
{
	const bool __has_x = __x._M_next != &__x, __has_y = __y._M_next != &__y;
	_List_node_base *const __next = __x._M_next, *const __prev = __x._M_prev;

	__x._M_next = __has_y ? __y._M_next : &__x;
	__x._M_prev = __has_y ? __y._M_prev : &__x;
	__y._M_next = __has_x ? __next : &__y;
	__y._M_prev = __has_x ? __prev : &__y;
	__x._M_next->_M_prev = __x._M_prev->_M_next = &__x;
	__y._M_next->_M_prev = __y._M_prev->_M_next = &__y;
}

}
_GLIBCXX_END_NAMESPACE_VERSION
}

#endif
