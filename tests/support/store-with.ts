import type { ObjectStore } from "#server/platform/storage/object-store";

/** A store with other methods. */
export function storeWith(store: ObjectStore, methods: Partial<ObjectStore>): ObjectStore {
  return new Proxy(store, {
    get(of, name) {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(of, name);
      return typeof value === "function" ? value.bind(of) : value;
    },
  });
}

/** A store whose disk cannot read the byte `at` of an object. */
export function storeWithBadSector(store: ObjectStore, id: string, at: number): ObjectStore {
  const open: ObjectStore["open"] = async (name) => {
    const bytes = await store.open(name);
    if (bytes === undefined || name !== id) return bytes;
    return {
      ...bytes,
      async *pieces(start, end) {
        if (at < start || at > end) return yield* bytes.pieces(start, end);
        if (start < at) yield* bytes.pieces(start, at - 1);
        await bytes.close();
        throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
      },
    };
  };
  return storeWith(store, { open });
}
