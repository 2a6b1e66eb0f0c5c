/** Modes that set the headers of the upstream call: set, delete, copy, move and pass on those of the client. */
import type { Json } from '../../../kernel/contract/json.js'
import { mayPass, passable } from './header-rules.js'
import type { Members } from './members.js'
import type { Act } from './run.js'
import { readTemplate } from './template.js'

const passedMax = 100

export const headerModes: Readonly<Record<string, (members: Members) => Act>> = {
  set_header(members) {
    const [name, keep] = [members.header('path'), members.flag('keep_origin')]
    const template = templateOf(members)
    return (run) => {
      if (keep && run.headerSet(name) !== undefined) return undefined
      const value = template({ clientHeaders: run.context.clientHeaders })
      if (value !== undefined) run.setHeader(name, value)
      return undefined
    }
  },
  delete_header(members) {
    const name = members.header('path')
    return (run) => {
      run.setHeader(name, null)
      return undefined
    }
  },
  copy_header: (members) => transferring(members, false),
  move_header: (members) => transferring(members, true),
  pass_headers(members) {
    const names = passedNames(members)
    const keep = members.flag('keep_origin')
    return (run) => {
      const passing = new Map(passable(run.context.clientHeaders))
      for (const name of names) {
        const value = passing.get(name)
        if (value !== undefined && !(keep && run.headerSet(name) !== undefined)) {
          run.setHeader(name, value)
        }
      }
      return undefined
    }
  },
}

function templateOf(members: Members) {
  const value = members.value()
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw members.fault('whose value is no text')
  }
  try {
    return readTemplate(String(value), false)
  } catch (error) {
    throw members.fault(`that ${(error as Error).message}`)
  }
}

/** From a header set so far, else from the client's of that name. Only what was set can be taken away. */
function transferring(members: Members, takes: boolean): Act {
  const from = members.neededText('from').trim().toLowerCase()
  const to = members.header('to')
  const keep = members.flag('keep_origin')
  return (run) => {
    const value = run.header(from)
    if (value === undefined || (keep && run.headerSet(to) !== undefined)) return undefined
    if (takes && run.headerSet(from) !== undefined) run.setHeader(from, null)
    run.setHeader(to, value)
    return undefined
  }
}

/** A list of names, or one text with commas between them. */
function passedNames(members: Members): readonly string[] {
  const value = members.value()
  const list: Json = typeof value === 'string' ? value.split(',') : value
  if (!Array.isArray(list) || list.length > passedMax) {
    throw members.fault(`whose value is no list of at most ${passedMax} names of headers`)
  }
  return list.map((item) => {
    const name = typeof item === 'string' ? item.trim().toLowerCase() : ''
    if (name === '') throw members.fault('whose value holds something that is no name of a header')
    if (!mayPass(name)) {
      throw members.fault(`that passes on "${name}", which stays between client and gateway`)
    }
    return members.headerNamed('value', name)
  })
}
