/** The members of an object that a plugin made, whether they stand in it or in its class. */

/** Of the object and of its classes. */
export function memberNames(target: object): ReadonlySet<string> {
  const names = new Set<string>()
  for (let at: unknown = target; isOwnLevel(at); at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) if (name !== 'constructor') names.add(name)
  }
  return names
}

function isOwnLevel(level: unknown): level is object {
  return typeof level === 'object' && level !== null && level !== Object.prototype
}
