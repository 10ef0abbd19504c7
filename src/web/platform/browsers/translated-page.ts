const { insertBefore, removeChild } = Node.prototype;

/** Lets React go on in a page that the browser translates, which replaces text nodes that React later removes or inserts before. */
export function tolerateTranslation(): void {
  Node.prototype.removeChild = function removeFrom<Child extends Node>(this: Node, child: Child): Child {
    return child.parentNode === this ? (removeChild.call(this, child) as Child) : child;
  };
  Node.prototype.insertBefore = function insertInto<Child extends Node>(this: Node, node: Child, next: Node | null): Child {
    return insertBefore.call(this, node, next?.parentNode === this ? next : null) as Child;
  };
}
