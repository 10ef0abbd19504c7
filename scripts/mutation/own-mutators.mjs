// @ts-check
// Mutants that Stryker does not make, of queries, where most rules of the server are, and of limits; and finer names for some that it makes.

/** Parts of SQL text, and what a mutant has in their place. Each occurrence is one mutant. */
const sqlChanges = /** @type {const} */ ([
  [/ for update skip locked/g, ""],
  [/ skip locked/g, ""],
  [/ for update(?! skip)(?: of \w+)?/g, ""],
  [/\band\b/g, "or"],
  [/\bor\b/g, "and"],
  [/\bnot exists\b/g, "exists"],
  [/\bis not null\b/g, "is null"],
  [/\bis null\b/g, "is not null"],
  [/\bis not distinct from\b/g, "is distinct from"],
  [/ desc\b/g, " asc"],
  [/(?<=\s)<=?(?=\s)/g, ">"],
  [/(?<=\s)>=?(?=\s)/g, "<"],
  [/(?<=\s)=(?=\s)/g, "<>"],
  [/(?<=\s)\+(?=\s)/g, "-"],
  [/\bpg_advisory_xact_lock\b/g, "pg_advisory_xact_lock_shared"],
]);

/** Calls of a query builder without which the query still runs. */
const droppableCalls = ["for", "where", "limit", "orderBy", "onConflictDoNothing"];

/** A Babel node; only what is read here. @typedef {any} Node */

/** Stryker calls `mutate` for each node of a file; see its own mutators for the form. */
const queryMutator = {
  name: "Query",
  /** @param {{ node: Node, parent: Node, parentPath: { parent: Node } }} path */
  *mutate(path) {
    const { node } = path;
    if (node.type === "TaggedTemplateExpression" && node.tag.name === "sql") yield* changedTexts(node);
    if (node.type === "CallExpression" && !isLimitOfFirst(path)) yield* changedCalls(node);
  },
};

/** `const [row] = await ….limit(1)`: the first row is the same without it. @param {{ node: Node, parent: Node, parentPath: { parent: Node } }} path */
function isLimitOfFirst({ node, parent, parentPath }) {
  const isLimit = node.callee.property?.name === "limit" && node.arguments[0].value === 1;
  return isLimit && parent.type === "AwaitExpression" && parentPath.parent.id?.type === "ArrayPattern";
}

/** Constants of these names are limits, and so are the `points` of a rate limit. */
const limitName = /^(?:min|max)|(?:Step|Seconds)$/;

const limitMutator = {
  name: "Limit",
  /** One more than the limit. @param {{ node: Node, parent: Node }} path */
  *mutate({ node, parent }) {
    if (node.type !== "NumericLiteral") return;
    const isLimit = parent.type === "VariableDeclarator" ? limitName.test(parent.id.name) : parent.key?.name === "points";
    if (isLimit) yield { type: "NumericLiteral", value: node.value + 1 };
  },
};

/**
 * Names by which a comment can excuse one of several mutants that Stryker calls the same: a condition that always or never holds, one that
 * lost its left or right side, and a comparison that was moved by one instead of turned round.
 * @type {Record<string, { names: string[], nameOf: (node: Node, parent: Node, mutant: Node) => string }>}
 */
const finerNames = {
  ConditionalExpression: {
    names: ["ConditionalExpression", "ConditionTrue", "ConditionFalse", "LeftOperand", "RightOperand"],
    nameOf: (node, parent, mutant) => {
      if (mutant.type !== "BooleanLiteral") return "ConditionalExpression";
      if (parent.type === "LogicalExpression") return parent.left === node ? "LeftOperand" : "RightOperand";
      return mutant.value ? "ConditionTrue" : "ConditionFalse";
    },
  },
  EqualityOperator: {
    names: ["EqualityOperator", "Boundary"],
    nameOf: (node, _parent, mutant) => (mutant.operator[0] === node.operator[0] ? "Boundary" : "EqualityOperator"),
  },
};

/** Returns Stryker's mutators with the finer names, and ours. @param {any[]} mutators */
export function withOwnMutators(mutators) {
  const finer = mutators.flatMap((mutator) => {
    const { names, nameOf } = finerNames[mutator.name] ?? { names: [mutator.name], nameOf: () => mutator.name };
    return names.map((name) => ({
      name,
      /** @param {any} path */
      *mutate(path) {
        for (const mutant of mutator.mutate(path)) if (nameOf(path.node, path.parent, mutant) === name) yield mutant;
      },
    }));
  });
  return [...finer, queryMutator, limitMutator];
}

/** @param {Node} node @returns {Generator<Node>} */
function* changedTexts(node) {
  for (const [index, quasi] of node.quasi.quasis.entries()) {
    for (const text of changesOf(quasi.value.raw)) {
      const quasis = node.quasi.quasis.with(index, { ...quasi, value: { raw: text, cooked: text } });
      yield { ...node, quasi: { ...node.quasi, quasis } };
    }
  }
}

/** @param {string} text @returns {Generator<string>} */
function* changesOf(text) {
  for (const [pattern, replacement] of sqlChanges) {
    for (const match of text.matchAll(pattern)) {
      yield text.slice(0, match.index) + replacement + text.slice(match.index + match[0].length);
    }
  }
}

/** Conditions without one of their parts, queries without one of their clauses, ascending for descending. @param {Node} node @returns {Generator<Node>} */
function* changedCalls(node) {
  const { callee, arguments: given } = node;
  if (callee.name === "and" || callee.name === "or") {
    for (const index of given.keys()) yield { ...node, arguments: given.toSpliced(index, 1) };
  }
  if (callee.name === "desc") yield given[0];
  if (callee.type === "MemberExpression" && droppableCalls.includes(callee.property.name)) yield callee.object;
}
