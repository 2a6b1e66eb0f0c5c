/**
 * One name for each tool of a request, as every other format requires it: there a tool is a function, and its name is all
 * that identifies it. A tool of a namespace is called `<namespace>__<name>`; `functions` is the format's own name for
 * having none. Where two tools would share a name, the later one gets a number.
 */
export interface ToolPlace {
  readonly name: string
  /** Absent: the tool stands in no namespace. */
  readonly namespace?: string
}

const defaultNamespace = 'functions'

export class ToolNames {
  private readonly names = new Map<string, string>()
  private readonly taken = new Set<string>()

  of({ name, namespace }: ToolPlace): string {
    const spoken = namespace === defaultNamespace ? undefined : namespace
    const key = JSON.stringify([spoken, name])
    const known = this.names.get(key)
    if (known !== undefined) return known
    const given = this.free(spoken === undefined ? name : joined(spoken, name))
    this.names.set(key, given)
    this.taken.add(given)
    return given
  }

  private free(wanted: string): string {
    let given = wanted
    for (let number = 2; this.taken.has(given); number += 1) given = `${wanted}_${number}`
    return given
  }
}

function joined(namespace: string, name: string): string {
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`
}
