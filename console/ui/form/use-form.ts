/**
 * A form over what the server checks: a failed save keeps everything typed, and the sentence of a refusal stands at the
 * field it names.
 */
import { computed, provide, type Ref, reactive, ref, watch } from 'vue'
import { ApiFailure, messageOf } from '../../api/failure.js'
import { unreadableKey } from './unreadable.js'

export interface Form<Values extends object> {
  readonly values: Values
  /** By the name of the field, as the server calls it. */
  readonly faults: Record<string, string>
  /** What is wrong with no field of this form in particular. */
  readonly problem: Ref<string>
  readonly busy: Ref<boolean>
  /** Something differs from what was there at first. */
  readonly changed: Ref<boolean>
  /** True once it is saved. */
  submit(): Promise<boolean>
  /** Begins anew with these. */
  reset(values: Values): void
}

export interface FormOptions<Values extends object> {
  readonly initial: Values
  readonly save: (values: Values) => Promise<unknown>
  /** Errors the browser finds by itself, by field. */
  readonly check?: (values: Values) => Readonly<Record<string, string>>
  /** Fields of the form, so that errors of other fields are shown above it; absent: those of `initial`. */
  readonly fields?: () => readonly string[]
}

export function useForm<Values extends object>(terms: FormOptions<Values>): Form<Values> {
  const values = reactive(copied(terms.initial)) as Values
  const faults = reactive<Record<string, string>>({})
  const problem = ref('')
  const busy = ref(false)
  const first = ref(JSON.stringify(terms.initial))
  const unreadable = reactive(new Set<string>())
  provide(unreadableKey, unreadable)

  /** As they were sent: the error of one value does not apply to the next. */
  let sent = copied(values)
  watch(values, () => {
    for (const name of Object.keys(faults)) {
      if (textAt(values, name) !== textAt(sent, name)) delete faults[name]
    }
  })

  function clear(): void {
    for (const name of Object.keys(faults)) delete faults[name]
    problem.value = ''
  }

  function take(error: unknown): void {
    const field = error instanceof ApiFailure ? error.field : undefined
    const known = terms.fields?.() ?? Object.keys(values)
    const at = field === undefined ? undefined : placeOf(field, known)
    if (at === undefined) problem.value = messageOf(error)
    else faults[at] = messageOf(error)
  }

  async function submit(): Promise<boolean> {
    clear()
    sent = copied(values)
    Object.assign(faults, terms.check?.(values) ?? {})
    if (Object.keys(faults).length > 0 || unreadable.size > 0 || busy.value) return false
    busy.value = true
    try {
      await terms.save(values)
      first.value = JSON.stringify(values)
      return true
    } catch (error) {
      take(error)
      return false
    } finally {
      busy.value = false
    }
  }

  return {
    values,
    faults,
    problem,
    busy,
    changed: computed(() => unreadable.size > 0 || JSON.stringify(values) !== first.value),
    submit,
    reset(next) {
      clear()
      Object.assign(values, copied(next))
      first.value = JSON.stringify(next)
    },
  }
}

/** A fault may name something within a field, as `channel.models.3`. */
function placeOf(field: string, known: readonly string[]): string | undefined {
  if (known.includes(field)) return field
  return known.find((name) => field.startsWith(`${name}.`) || field.startsWith(`${name}[`))
}

/** What a fault names: a field, something within it as `rules.3`, or a field that stands in a group of them. */
function textAt(values: object, name: string): string | undefined {
  const path = name.split(/[.[\]]+/).filter(Boolean)
  const groups = Object.values(values).filter(isObject)
  const holder = [values, ...groups].find((one) => (path[0] ?? '') in one)
  const within = (at: unknown, step: string) =>
    isObject(at) ? (at as Readonly<Record<string, unknown>>)[step] : undefined
  return JSON.stringify(path.reduce<unknown>(within, holder))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function copied<Values>(values: Values): Values {
  return JSON.parse(JSON.stringify(values))
}
