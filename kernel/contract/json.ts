/**
 * JSON as the gateway handles it: what a parsed body may hold, named once so that no file needs `any`.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object. Keys are own properties; `__proto__` never passes the body reader. */
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
