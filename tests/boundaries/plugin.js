import { dirname, relative, resolve, sep } from "node:path";
import { forbiddenImport } from "./imports.js";

/** The module boundaries as oxlint rules; `boundaries.test.ts` tests each with a violation. */
const root = resolve(import.meta.dirname, "../..");

const fromRoot = (path) => relative(root, path).split(sep).join("/");

/** What an import means as a path in this project, or the package's name as written. */
function targetOf(file, specifier) {
  if (specifier.startsWith(".")) return fromRoot(resolve(dirname(file), specifier));
  const room = /^#(domain|server|web)\/(.*)$/.exec(specifier);
  return room ? `src/${room[1]}/${room[2]}.ts` : specifier;
}

const imports = {
  create(context) {
    const file = context.physicalFilename;
    const check = (source) => {
      if (typeof source?.value !== "string") return;
      const boundary = forbiddenImport(fromRoot(file), targetOf(file, source.value));
      if (boundary) context.report({ node: source, message: `Module boundary: ${boundary}` });
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      TSImportType: (node) => check(node.source),
    };
  },
};

const isName = (node, name) => node?.type === "Identifier" && node.name === name;

/** The name after the dot or between the brackets. */
const propertyName = (node) => (node.computed ? node.property.value : node.property.name);

/** The global itself, also by way of globalThis. */
const isGlobal = (node, name) =>
  isName(node, name) || (node?.type === "MemberExpression" && isName(node.object, "globalThis") && propertyName(node) === name);

/** Finds members of a global, read by dot, by brackets or by destructuring. */
function membersOf(name, members, report) {
  return {
    MemberExpression(node) {
      if (isGlobal(node.object, name) && members.includes(propertyName(node))) report(node);
    },
    VariableDeclarator(node) {
      if (node.id.type !== "ObjectPattern" || !isGlobal(node.init, name)) return;
      for (const property of node.id.properties) if (members.includes(property.key?.name)) report(property);
    },
  };
}

/** Finds imports of names of a module; `*` and `default` mean the module whole. */
function namesFrom(modules, names, report) {
  return {
    ImportDeclaration(node) {
      if (!modules.includes(node.source.value)) return;
      for (const specifier of node.specifiers) {
        const name = specifier.imported?.name ?? (specifier.type === "ImportDefaultSpecifier" ? "default" : "*");
        if (names.includes(name)) report(specifier);
      }
    },
  };
}

/** One visitor of several that listen to the same nodes. */
function together(...visitors) {
  const merged = {};
  for (const [type, visit] of visitors.flatMap(Object.entries)) {
    const earlier = merged[type] ?? (() => {});
    merged[type] = (node) => {
      earlier(node);
      visit(node);
    };
  }
  return merged;
}

const processModules = ["node:process", "process"];

const environment = {
  create(context) {
    const report = (node) =>
      context.report({ node, message: "Module boundary: only src/server/config.ts reads the environment" });
    const members = ["env", "loadEnvFile"];
    return together(membersOf("process", members, report), namesFrom(processModules, [...members, "default", "*"], report));
  },
};

const clock = {
  create(context) {
    const report = (node) =>
      context.report({ node, message: "Module boundary: only src/server/platform/clock.ts reads the time" });
    return together(
      membersOf("Date", ["now"], report),
      membersOf("performance", ["now", "timeOrigin"], report),
      membersOf("process", ["hrtime", "uptime"], report),
      namesFrom(processModules, ["hrtime", "uptime"], report),
      {
        NewExpression(node) {
          if (isGlobal(node.callee, "Date") && node.arguments.length === 0) report(node);
        },
        CallExpression(node) {
          if (isGlobal(node.callee, "Date")) report(node);
        },
        // A second name for the clock would hide it from the lines above.
        VariableDeclarator(node) {
          if (node.id.type === "Identifier" && (isGlobal(node.init, "Date") || isGlobal(node.init, "performance")))
            report(node);
        },
      },
    );
  },
};

const randomness = {
  create(context) {
    const report = (node) => context.report({ node, message: "Module boundary: the domain knows no randomness" });
    return together(membersOf("Math", ["random"], report), {
      Identifier(node) {
        if (node.name === "crypto") report(node);
      },
    });
  },
};

const transactions = {
  create(context) {
    const message = "Module boundary: transactions are run by transaction() of src/server/platform/db/transaction.ts";
    return {
      MemberExpression(node) {
        if (propertyName(node) === "transaction") context.report({ node, message });
      },
    };
  },
};

/** Whole words, in singular or plural, of what the product sells and how it is paid. */
const businessWords =
  /\b(payments?|quotes?|coupons?|videos?|films?|lessons?|courses?|students?|wallets?|bitcoin|ethereum|receipts?|screenshots?|tiers?)\b/i;

const words = {
  create(context) {
    return {
      Program(node) {
        const found = businessWords.exec(context.sourceCode.text);
        if (found) context.report({ node, message: `Module boundary: no business words in ui and platform ("${found[0]}")` });
      },
    };
  },
};

export default { meta: { name: "boundaries" }, rules: { imports, environment, clock, randomness, transactions, words } };
