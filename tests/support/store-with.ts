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
