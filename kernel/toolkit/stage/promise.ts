/** Recognized by its shape: a plugin may bring a promise of its own making. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value
}
