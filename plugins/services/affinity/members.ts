/** One object of the option of rules: reads its members by kind, and names option, rule and member where one is wrong. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

export const rulesOption = 'channel_affinity_setting.rules'

/** Why a text cannot be used, as the end of a sentence; undefined: it can. */
export type FaultOf = (text: string) => string | undefined

export class Members {
  /**
   * @param rule which one, as a sentence names it
   * @param within where the object stands in the rule, e.g. `key_sources[0].`
   */
  constructor(
    private readonly object: JsonObject,
    private readonly rule: string,
    private readonly within = '',
  ) {}

  /** What is not known is not ignored: the rule would do something else than its author thinks. */
  refuseOthers(known: ReadonlySet<string>): void {
    const other = Object.keys(this.object).find((name) => !known.has(name))
    if (other === undefined) return
    throw this.fault(other.slice(0, 100), 'is no member this gateway knows; leave it out')
  }

  flag(name: string, absent: boolean): boolean {
    const value = this.value(name) ?? absent
    if (typeof value !== 'boolean') throw this.fault(name, 'must be true or false')
    return value
  }

  /** A whole number from 0; undefined: absent or 0. */
  count(name: string, most: number): number | undefined {
    const value = this.value(name) ?? 0
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) {
      return value || undefined
    }
    throw this.fault(name, `must be a whole number from 0 to ${most}`)
  }

  /** Empty where absent. */
  text(name: string): string {
    const value = this.value(name) ?? ''
    if (typeof value !== 'string') throw this.fault(name, 'must be text')
    return value
  }

  checkedText(name: string, faultOf: FaultOf): string {
    const text = this.text(name)
    const fault = faultOf(text)
    if (fault !== undefined) throw this.fault(name, fault)
    return text
  }

  /** Empty where absent. */
  texts(name: string, most: number, faultOf: FaultOf): readonly string[] {
    return this.list(name, most).map((text, at) => {
      const fault = typeof text === 'string' ? faultOf(text) : 'must be text'
      if (fault !== undefined) throw this.fault(`${name}[${at}]`, fault)
      return text as string
    })
  }

  objects(name: string, most: number): readonly Members[] {
    return this.list(name, most).map((object, at) => {
      if (!isObject(object)) throw this.fault(`${name}[${at}]`, 'must be an object')
      return new Members(object, this.rule, `${this.within}${name}[${at}].`)
    })
  }

  fault(name: string, fault: string): Refusal {
    return rulesFault(`, ${this.rule}: ${this.within}${name} ${fault}`)
  }

  private list(name: string, most: number): readonly Json[] {
    const value = this.value(name) ?? []
    if (!Array.isArray(value)) throw this.fault(name, 'must be a list')
    if (value.length > most) throw this.fault(name, `must have at most ${most} entries`)
    return value as readonly Json[]
  }

  /** Exports of the family write null for what is not set. */
  private value(name: string): Json | undefined {
    return Object.hasOwn(this.object, name) ? (this.object[name] ?? undefined) : undefined
  }
}

/** @param rest of the sentence behind the name of the option */
export function rulesFault(rest: string): Refusal {
  return new Refusal('invalid_field', { reason: `${rulesOption}${rest}.`, param: rulesOption })
}
