/** What a rule sees in a request: whether it is for it, the key, and the digest the tie stands under. */
import { hash } from 'node:crypto'
import type { AffinityAsk } from './affinity.js'
import { textAt } from './body-path.js'
import { type Pattern, type Patterns, textCharactersMax } from './patterns.js'
import type { KeySource, Rule } from './rule.js'

/** @param agent the user agent in lower case */
export function applies(
  { userAgents, paths, models }: Rule,
  ask: AffinityAsk,
  agent: string,
  patterns: Patterns,
): boolean {
  return (
    (userAgents.length === 0 || includesAny(agent, userAgents)) &&
    (paths.length === 0 || matchesAny(ask.path, paths, patterns)) &&
    (models.length === 0 || matchesAny(ask.model, models, patterns))
  )
}

/** The key by the first source that gives one. */
export function keyIn({ sources, value }: Rule, ask: AffinityAsk, patterns: Patterns) {
  for (const source of sources) {
    const text = sourceText(source, ask)
    if (text === undefined || text.length > textCharactersMax) continue
    const key = value === undefined ? text : patterns.capture(value, text)
    if (key !== undefined && key !== '') return key
  }
  return undefined
}

/**
 * Of one size however long the key is, and not readable. The user is part of it whatever the rule says: keys are the
 * client's word, so with a shared tie anyone who names another's key could move that tie, or have it forgotten.
 */
export function digestOf({ name, byRule, byGroup, byModel }: Rule, ask: AffinityAsk, key: string) {
  const { userId, userGroup, model } = ask
  const parts = [userId, byRule && name, byGroup && userGroup, byModel && model, key]
  return hash('sha256', JSON.stringify(parts), 'base64url')
}

export function agentOf({ headers }: AffinityAsk): string {
  const agent = headers['user-agent']
  return agent === undefined ? '' : agent.slice(0, textCharactersMax).toLowerCase()
}

function includesAny(text: string, parts: readonly string[]): boolean {
  for (const part of parts) if (text.includes(part)) return true
  return false
}

function matchesAny(text: string, some: readonly Pattern[], patterns: Patterns): boolean {
  for (const pattern of some) if (patterns.test(pattern, text)) return true
  return false
}

function sourceText(source: KeySource, ask: AffinityAsk): string | undefined {
  switch (source.kind) {
    case 'body':
      return ask.body && textAt(ask.body, source.path)
    case 'header':
      return headerText(ask, source.name)
    case 'user':
      return String(ask.userId)
    case 'group':
      return ask.userGroup
  }
}

function headerText({ headers }: AffinityAsk, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === 'string' ? value : value?.[0]
}
