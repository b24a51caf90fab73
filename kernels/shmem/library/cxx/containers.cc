// SPDX-License-Identifier: Apache-2.0
// Non-template parts of the C++ library's lists and trees.
#include <list>
#include <map>

namespace std {

namespace __detail {
void _List_node_base::_M_hook(_List_node_base* position) noexcept {
    _M_next = position;
    _M_prev = position->_M_prev;
    position->_M_prev->_M_next = this;
    position->_M_prev = this;
}
void _List_node_base::_M_unhook() noexcept {
    _M_prev->_M_next = _M_next;
    _M_next->_M_prev = _M_prev;
}
void _List_node_base::_M_transfer(_List_node_base* first, _List_node_base* last) noexcept {
    if (this == last) return;
    last->_M_prev->_M_next = this;
    first->_M_prev->_M_next = last;
    _M_prev->_M_next = first;
    _List_node_base* kept = _M_prev;
    _M_prev = last->_M_prev;
    last->_M_prev = first->_M_prev;
    first->_M_prev = kept;
}
void _List_node_base::_M_reverse() noexcept {
    _List_node_base* at = this;
    do {
        _List_node_base* next = at->_M_next;
        at->_M_next = at->_M_prev;
        at->_M_prev = next;
        at = next;
    } while (at != this);
}
void _List_node_base::swap(_List_node_base& one, _List_node_base& other) noexcept {
    _List_node_base first = one, second = other;
    const bool one_is_empty = first._M_next == &one, other_is_empty = second._M_next == &other;
    one = second;
    other = first;
    if (other_is_empty) {
        one._M_next = one._M_prev = &one;
    } else {
        one._M_next->_M_prev = one._M_prev->_M_next = &one;
    }
    if (one_is_empty) {
        other._M_next = other._M_prev = &other;
    } else {
        other._M_next->_M_prev = other._M_prev->_M_next = &other;
    }
}
}  // namespace __detail

using Node = _Rb_tree_node_base;

Node* _Rb_tree_increment(Node* x) throw() {
    if (x->_M_right != nullptr) return Node::_S_minimum(x->_M_right);
    Node* y = x->_M_parent;
    while (x == y->_M_right) {
        x = y;
        y = y->_M_parent;
    }
    return x->_M_right != y ? y : x;  // for the root alone, the header is both its parent and its right
}
const Node* _Rb_tree_increment(const Node* x) throw() { return _Rb_tree_increment(const_cast<Node*>(x)); }
Node* _Rb_tree_decrement(Node* x) throw() {
    if (x->_M_color == _S_red && x->_M_parent->_M_parent == x) return x->_M_right;  // the end
    if (x->_M_left != nullptr) return Node::_S_maximum(x->_M_left);
    Node* y = x->_M_parent;
    while (x == y->_M_left) {
        x = y;
        y = y->_M_parent;
    }
    return y;
}
const Node* _Rb_tree_decrement(const Node* x) throw() { return _Rb_tree_decrement(const_cast<Node*>(x)); }

namespace {

/// Replaces `x` by `y` in the node that points to it.
void replace(Node* x, Node* y, Node*& root) {
    if (x == root) {
        root = y;
    } else if (x == x->_M_parent->_M_left) {
        x->_M_parent->_M_left = y;
    } else {
        x->_M_parent->_M_right = y;
    }
}
void rotate(Node* x, Node*& root, bool to_left) {
    Node*& far = to_left ? x->_M_right : x->_M_left;
    Node* y = far;
    Node*& near = to_left ? y->_M_left : y->_M_right;
    far = near;
    if (near != nullptr) near->_M_parent = x;
    y->_M_parent = x->_M_parent;
    replace(x, y, root);
    near = x;
    x->_M_parent = y;
}
bool is_black(const Node* x) { return x == nullptr || x->_M_color == _S_black; }

}  // namespace

void _Rb_tree_insert_and_rebalance(const bool insert_left, Node* x, Node* p, Node& header) throw() {
    Node*& root = header._M_parent;
    x->_M_parent = p;
    x->_M_left = x->_M_right = nullptr;
    x->_M_color = _S_red;
    if (insert_left) {
        p->_M_left = x;  // in an empty tree, this also sets the leftmost node
        if (p == &header) {
            header._M_parent = header._M_right = x;
        } else if (p == header._M_left) {
            header._M_left = x;
        }
    } else {
        p->_M_right = x;
        if (p == header._M_right) header._M_right = x;
    }
    while (x != root && x->_M_parent->_M_color == _S_red) {
        Node* grand = x->_M_parent->_M_parent;
        const bool is_left = x->_M_parent == grand->_M_left;
        Node* uncle = is_left ? grand->_M_right : grand->_M_left;
        if (!is_black(uncle)) {
            x->_M_parent->_M_color = uncle->_M_color = _S_black;
            grand->_M_color = _S_red;
            x = grand;
        } else {
            if (x == (is_left ? x->_M_parent->_M_right : x->_M_parent->_M_left)) {
                x = x->_M_parent;
                rotate(x, root, is_left);
            }
            x->_M_parent->_M_color = _S_black;
            grand->_M_color = _S_red;
            rotate(grand, root, !is_left);
        }
    }
    root->_M_color = _S_black;
}

Node* _Rb_tree_rebalance_for_erase(Node* const z, Node& header) throw() {
    Node*& root = header._M_parent;
    Node* y = z;
    Node* x = nullptr;
    Node* parent = nullptr;
    if (y->_M_left == nullptr) {
        x = y->_M_right;
    } else if (y->_M_right == nullptr) {
        x = y->_M_left;
    } else {
        y = Node::_S_minimum(y->_M_right);
        x = y->_M_right;
    }
    if (y != z) {  // y takes the place of z
        z->_M_left->_M_parent = y;
        y->_M_left = z->_M_left;
        if (y != z->_M_right) {
            parent = y->_M_parent;
            if (x != nullptr) x->_M_parent = y->_M_parent;
            y->_M_parent->_M_left = x;
            y->_M_right = z->_M_right;
            z->_M_right->_M_parent = y;
        } else {
            parent = y;
        }
        replace(z, y, root);
        y->_M_parent = z->_M_parent;
        const _Rb_tree_color color = y->_M_color;
        y->_M_color = z->_M_color;
        z->_M_color = color;
        y = z;
    } else {
        parent = y->_M_parent;
        if (x != nullptr) x->_M_parent = y->_M_parent;
        replace(z, x, root);
        if (header._M_left == z) header._M_left = z->_M_right == nullptr ? z->_M_parent : Node::_S_minimum(x);
        if (header._M_right == z) header._M_right = z->_M_left == nullptr ? z->_M_parent : Node::_S_maximum(x);
    }
    if (y->_M_color == _S_red) return y;
    while (x != root && is_black(x)) {
        const bool is_left = x == parent->_M_left;
        Node* sibling = is_left ? parent->_M_right : parent->_M_left;
        if (sibling->_M_color == _S_red) {
            sibling->_M_color = _S_black;
            parent->_M_color = _S_red;
            rotate(parent, root, is_left);
            sibling = is_left ? parent->_M_right : parent->_M_left;
        }
        if (is_black(sibling->_M_left) && is_black(sibling->_M_right)) {
            sibling->_M_color = _S_red;
            x = parent;
            parent = parent->_M_parent;
        } else {
            if (is_black(is_left ? sibling->_M_right : sibling->_M_left)) {
                (is_left ? sibling->_M_left : sibling->_M_right)->_M_color = _S_black;
                sibling->_M_color = _S_red;
                rotate(sibling, root, !is_left);
                sibling = is_left ? parent->_M_right : parent->_M_left;
            }
            sibling->_M_color = parent->_M_color;
            parent->_M_color = _S_black;
            (is_left ? sibling->_M_right : sibling->_M_left)->_M_color = _S_black;
            rotate(parent, root, is_left);
            break;
        }
    }
    if (x != nullptr) x->_M_color = _S_black;
    return y;
}

}  // namespace std
