/**
 * The mode sync_fields: one fact in two places, in the body, a header or the context. Where one of them has it and the
 * other not, it is copied there.
 */
import type { Json } from '../../../kernel/contract/json.js'
import { change, valueAt } from '../../../kernel/toolkit/json/index.js'
import { isSecret } from './header-rules.js'
import type { Members } from './members.js'
import type { Act, Run } from './run.js'
import { sizeOf } from './value-size.js'

interface Place {
  get(run: Run): Json | undefined
  /** Absent: it can only be read. */
  put?(run: Run, value: Json): void
}

export function syncing(members: Members): Act {
  const from = readPlace('from', members)
  const to = readPlace('to', members)
  return (run) => {
    const [first, second] = [from.get(run), to.get(run)]
    if (first !== undefined && second === undefined) to.put?.(run, first)
    else if (second !== undefined && first === undefined) from.put?.(run, second)
    return undefined
  }
}

function readPlace(name: 'from' | 'to', members: Members): Place {
  const text = members.neededText(name)
  const colon = text.indexOf(':')
  const rest = text.slice(colon + 1).trim()
  switch (text.slice(0, Math.max(colon, 0))) {
    case 'json':
      return inBody(name, rest, members)
    case 'header':
      return inHeader(members.headerNamed(name, rest), members)
    case 'context': {
      const path = members.parsed(name, rest).map(({ key }) => key)
      return { get: (run) => run.inContext(path) }
    }
    default:
      throw members.fault(`whose ${name} begins with neither json:, header: nor context:`)
  }
}

function inBody(name: string, text: string, members: Members): Place {
  const path = members.singlePath(name, text)
  return {
    get: (run) => valueAt(run.wire, path) ?? undefined,
    put(run, value) {
      if (run.mayGrow(sizeOf(value), members.mode))
        run.wire = change(run.wire, path, () => value, 'make')
    },
  }
}

function inHeader(name: string, members: Members): Place {
  if (isSecret(name)) throw members.fault(`that takes the header "${name}", which is never read`)
  return {
    get: (run) => run.header(name),
    put(run, value) {
      if (typeof value !== 'object') run.setHeader(name, String(value))
    },
  }
}
