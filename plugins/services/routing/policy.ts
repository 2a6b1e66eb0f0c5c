/**
 * Routing policies: what a sound one looks like (ROUTE-5, ROUTE-6, ROUTE-14), and the one that is made where none is
 * stored (ROUTE-9, ROUTE-10).
 */

import { isObject } from '../../../kernel/contract/json.js'
import type { RoutingPolicy } from '../../../kernel/contract/line/people.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

const policyGroupsMax = 8

/** What is wrong with a policy whoever has it. */
export interface PolicyFault {
  /** The part at fault, as `routing.mode`. */
  readonly param: string
  /** The end of a sentence that begins with it. */
  readonly sentence: string
}

/** The policy of a document as it was sent; what its mode does not read is left blank. Throws `invalid_field`. */
export function policyFrom(sent: unknown): RoutingPolicy {
  const fault = faultOf(sent)
  if (fault !== undefined) throw refusalOf(fault)
  const { mode, auto_route, groups, retry_on_failure } = sent as RoutingPolicy
  return {
    version: 1,
    mode,
    auto_route: mode === 'smart' ? auto_route : '',
    groups: mode === 'manual' ? [...groups] : [],
    // Only an explicit false keeps a request from the next group.
    retry_on_failure: retry_on_failure ?? true,
  }
}

/** Undefined: it is sound, as far as that can be known without its owner. */
export function faultOf(sent: unknown): PolicyFault | undefined {
  if (!isObject(sent)) return at('routing', 'must be an object')
  const { version, mode, auto_route, groups, retry_on_failure } = sent
  if (version !== 1) return at('routing.version', 'must be 1')
  if (mode !== 'smart' && mode !== 'manual') {
    return at('routing.mode', 'must be smart or manual')
  }
  if (retry_on_failure !== undefined && typeof retry_on_failure !== 'boolean') {
    return at('routing.retry_on_failure', 'must be true or false')
  }
  return mode === 'smart' ? faultOfRoute(auto_route) : faultOfGroups(groups)
}

export function refusalOf({ param, sentence }: PolicyFault): Refusal {
  return new Refusal('invalid_field', { reason: `${param} ${sentence}.`, param })
}

/** A text of the client's, as a sentence about it shows it. */
export function shown(text: string): string {
  return JSON.stringify(text.slice(0, 64))
}

function faultOfRoute(route: unknown): PolicyFault | undefined {
  const isNamed = typeof route === 'string' && route !== ''
  return isNamed ? undefined : at('routing.auto_route', 'must be the key of an auto route')
}

function faultOfGroups(groups: unknown): PolicyFault | undefined {
  const param = 'routing.groups'
  if (!Array.isArray(groups)) return at(param, 'must be a list of groups')
  if (groups.length === 0) return at(param, 'must name at least one group')
  if (groups.length > policyGroupsMax) {
    return at(param, `must name at most ${policyGroupsMax} groups`)
  }
  for (const [index, group] of groups.entries()) {
    if (typeof group !== 'string') return at(param, 'must hold names of groups only')
    if (groups.indexOf(group) < index) return at(param, `holds ${shown(group)} twice`)
  }
  return undefined
}

function at(param: string, sentence: string): PolicyFault {
  return { param, sentence }
}
