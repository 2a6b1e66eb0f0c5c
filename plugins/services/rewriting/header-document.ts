/**
 * The header document of a channel: names and values with placeholders, and rules by which headers of the client go on.
 * What is named goes before what a rule let through.
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { faultOfName, passable } from './header-rules.js'
import { compilePattern } from './pattern.js'
import type { HeaderOverride } from './rewriting.js'
import { readTemplate, type Template } from './template.js'

const headersMax = 100

type Passes = (name: string) => boolean

/** Throws an `Error` whose message goes on after the field's name. */
export function readHeaders(document: JsonObject): HeaderOverride {
  const entries = Object.entries(document)
  if (entries.length > headersMax) throw new Error(`has more than ${headersMax} headers`)
  const rules: Passes[] = []
  const named = new Map<string, Template | null>()
  for (const [key, value] of entries) {
    const rule = readRule(key)
    if (rule === undefined) addNamed(named, key, value)
    else if (value === true || value === '') rules.push(rule)
    else throw new Error(`has the rule "${key}", whose value must be true or ""`)
  }
  return { empty: entries.length === 0, apply: (options) => applied(rules, named, options) }
}

function applied(
  rules: readonly Passes[],
  named: ReadonlyMap<string, Template | null>,
  options: Parameters<HeaderOverride['apply']>[0],
): Readonly<Record<string, string | null>> {
  const headers: Record<string, string | null> = {}
  if (rules.length > 0) {
    for (const [name, value] of passable(options.clientHeaders)) {
      if (rules.some((passes) => passes(name))) headers[name] = value
    }
  }
  for (const [name, template] of named) {
    const value = template === null ? null : template(options)
    if (value !== undefined) headers[name] = value
  }
  return headers
}

function readRule(key: string): Passes | undefined {
  if (key === '*') return () => true
  const source = /^(?:re|regex):(.*)$/s.exec(key)?.[1]
  if (source === undefined) return undefined
  try {
    const pattern = compilePattern(source, 'anyCase')
    return (name) => pattern.test(name)
  } catch (error) {
    throw new Error(`has the rule "${key.slice(0, 100)}", whose pattern ${reason(error)}`)
  }
}

function addNamed(named: Map<string, Template | null>, key: string, value: Json | undefined): void {
  const name = key.trim().toLowerCase()
  const shown = `has the header "${key.slice(0, 100)}"`
  const fault = faultOfName(name)
  if (fault !== undefined) throw new Error(`${shown}, which ${fault}`)
  if (named.has(name)) throw new Error(`${shown} twice`)
  named.set(name, readValue(shown, value))
}

function readValue(shown: string, value: Json | undefined): Template | null {
  if (value === null) return null
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new Error(`${shown}, whose value must be a text`)
  }
  try {
    return readTemplate(String(value), true)
  } catch (error) {
    throw new Error(`${shown}, which ${reason(error)}`)
  }
}

function reason(error: unknown): string {
  return (error as Error).message
}
