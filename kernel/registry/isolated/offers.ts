/** Functions of this side that the other one may call, in groups that are given up together. */
import type { Callable } from './description.js'
import type { PassedFunctions, Reference } from './messages.js'

/** What each side offers from the start is of this group. */
export const firstGroup = 1

export class Offers {
  private readonly groups = new Map<number, readonly Callable[]>()
  private count = firstGroup

  constructor(first: readonly Callable[]) {
    this.groups.set(firstGroup, first)
  }

  add(functions: readonly Callable[]): number {
    this.count += 1
    this.groups.set(this.count, functions)
    return this.count
  }

  drop(group: number): void {
    if (group !== firstGroup) this.groups.delete(group)
  }

  at({ group, at }: Reference): Callable {
    const found = this.groups.get(group)?.[at]
    if (found === undefined) throw new Error('what it calls is not there any more')
    return found
  }
}

/** Arguments without their functions, and those by their paths. They stand among the arguments or in one, no deeper. */
export interface Parted {
  readonly given: readonly unknown[]
  readonly functions: readonly Callable[]
  readonly paths: PassedFunctions['paths']
}

export function parted(given: readonly unknown[]): Parted {
  const functions: Callable[] = []
  const paths: (readonly [number, string?])[] = []
  const plain = given.map((argument, index) => {
    if (typeof argument === 'function') {
      functions.push(argument as Callable)
      paths.push([index])
      return undefined
    }
    const names = functionNames(argument)
    if (names.length === 0) return argument
    const copy: Record<string, unknown> = { ...(argument as object) }
    for (const name of names) {
      const own = copy[name] as Callable
      functions.push((...passed) => own.apply(argument, passed))
      paths.push([index, name])
      delete copy[name]
    }
    return copy
  })
  return { given: plain, functions, paths }
}

/** The arguments with their functions in place again. */
export function joined(
  given: readonly unknown[],
  paths: PassedFunctions['paths'],
  functionAt: (at: number) => Callable,
): readonly unknown[] {
  const whole = [...given]
  for (const [at, [index, name]] of paths.entries()) {
    if (name === undefined) whole[index] = functionAt(at)
    else (whole[index] as Record<string, unknown>)[name] = functionAt(at)
  }
  return whole
}

function functionNames(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return []
  if (Array.isArray(value)) return []
  const names: string[] = []
  for (const name in value) {
    if (typeof value[name as keyof typeof value] === 'function') names.push(name)
  }
  return names
}
