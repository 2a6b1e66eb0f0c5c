/**
 * States what changed between two sets of reports, and whether it breaks plugins. The compiler judges: what authors give
 * to the gateway has to fit the current type as it fitted the released one, what they are given has to fit the other way
 * round, and no member they may name disappears.
 */
import { join } from 'node:path'
import ts from 'typescript'
import { membersOf } from './contract-members.mjs'
import { directionsOf } from './contract-roles.mjs'
import { comparable, exportsIn, importsIn, modulesOf } from './contract-text.mjs'
import { compilerOptions, declarationsRoot, programOf } from './contract-types.mjs'

const judgement = join(declarationsRoot, 'judgement.ts')

/** Sentences, one for each exported name that is gone, new or changed, the breaks first. Both are maps of names of reports to texts. */
export function judgeReports(released, current) {
  const [before, now] = [modulesOf(released), modulesOf(current)]
  const [old, fresh] = [exportsIn(before), exportsIn(now)]
  const touched = touchedModules(before, now)
  const sentences = []
  const kept = []
  for (const [key, one] of old) {
    const other = fresh.get(key)
    if (other === undefined) sentences.push(`break: ${key} is no longer exported.`)
    else if (one.path !== other.path || touched.has(other.path)) {
      const isChanged = one.text !== other.text || one.isValue !== other.isValue
      kept.push({ key, ...one, isChanged, faults: statedFaults(one, other) })
    }
  }
  for (const key of fresh.keys()) {
    if (!old.has(key)) sentences.push(`addition: ${key} is new.`)
  }
  const faults = judgeKept(kept, before, now)
  const named = kept.filter(({ isChanged }) => isChanged)
  const broken = named.filter(({ key }) => faults.has(key))
  // What only mentions a broken type breaks with it; it is named where nothing else is at fault.
  const due = broken.length > 0 ? broken : kept.filter(({ key }) => faults.has(key))
  sentences.push(
    ...due.flatMap(({ key }) => faults.get(key).map((fault) => `break: ${key}: ${fault}`)),
    ...named
      .filter(({ key }) => !faults.has(key))
      .map(({ key }) => `addition: ${key} changed, and what fitted it still does.`),
  )
  return sentences.sort(
    (one, other) => Number(other.startsWith('break')) - Number(one.startsWith('break')),
  )
}

/** Modules whose text changed, and those that import one of them, however far away. */
function touchedModules(before, now) {
  const touched = new Set(
    [...before.keys(), ...now.keys()].filter((path) => before.get(path) !== now.get(path)),
  )
  for (let size = -1; size !== touched.size; ) {
    size = touched.size
    for (const [path, text] of now)
      if (importsIn(path, text).some((one) => touched.has(one))) touched.add(path)
  }
  return touched
}

/** What breaks by what declarations state themselves, where every argument the compiler could try would fit. */
function statedFaults(released, current) {
  const faults = released.isValue && !current.isValue ? ['it is exported as a type alone.'] : []
  for (const [at, { constraint, fallback }] of released.parameters.entries()) {
    const now = current.parameters[at]
    if (now === undefined) continue
    if (now.constraint !== undefined && now.constraint !== constraint) {
      faults.push(`its type parameter ${at + 1} is restricted to "${now.constraint}".`)
    }
    if (fallback !== undefined && now.fallback !== fallback) {
      faults.push(`its type parameter ${at + 1} no longer is "${fallback}" where it is left out.`)
    }
  }
  return faults
}

/** What breaks, by the key of the name. */
function judgeKept(kept, before, now) {
  const entries = [...new Set(kept.map(({ entry }) => entry))]
  const imports = entries.flatMap((entry, at) =>
    ['released', 'current'].map(
      (age) => `import type * as ${age}${at} from './${age}/${entry.replace(/\.d\.ts$/, '.js')}'`,
    ),
  )
  const questions = kept.flatMap((one, at) => questionsOf(one, at, entries.indexOf(one.entry)))
  const lines = [...imports, ...questions.map(({ line }) => line)]
  const program = programOf([judgement], compilerOptions(), textsOf(before, now, lines.join('\n')))
  const file = program.getSourceFile(judgement)
  const faults = new Map()
  const add = (key, fault) => {
    const known = faults.get(key) ?? []
    if (!known.includes(fault)) faults.set(key, [...known, fault])
  }
  for (const { key, faults: stated } of kept) for (const fault of stated) add(key, fault)
  const answered = namesIn(file, program.getTypeChecker())
  for (const { key, released, current } of questions) {
    if (released === undefined) continue
    const [had, has] = [released, current].map((name) => answered(name))
    for (const member of had) if (!has.has(member)) add(key, `it no longer has "${member}".`)
  }
  for (const { start, messageText } of program.getSemanticDiagnostics(file)) {
    const at = file.getLineAndCharacterOfPosition(start).line - imports.length
    const { key, entry, direction } = questions[at] ?? { key: 'the report itself' }
    if (direction === undefined || directionsOf(entry, key).has(direction))
      add(key, words(messageText))
  }
  return faults
}

/** `given`: what authors get of the name. `made`: what they give. */
function questionsOf({ key, entry, name, isType, isValue, parameters }, at, number) {
  const filled = parameters.length === 0 ? '' : `<${parameters.map(() => 'any').join(', ')}>`
  const kinds = [
    ...(isType ? [['type', `.${name}${filled}`, '']] : []),
    ...(isValue ? [['value', `.${name}`, 'typeof ']] : []),
  ]
  return kinds.flatMap(([kind, path, prefix]) => {
    const [old, fresh] = ['released', 'current'].map((age) => `${prefix}${age}${number}${path}`)
    const [released, current] = [`released_${at}_${kind}`, `current_${at}_${kind}`]
    return [
      { key, entry, line: `export declare const ${released}: ${old}` },
      { key, entry, line: `export declare const ${current}: ${fresh}`, released, current },
      {
        key,
        entry,
        line: `export const given_${at}_${kind}: ${old} = ${current}`,
        direction: 'given',
      },
      {
        key,
        entry,
        line: `export const made_${at}_${kind}: ${fresh} = ${released}`,
        direction: 'made',
      },
    ]
  })
}

/** Returns the members of the type of a variable, by its name. */
function namesIn(file, checker) {
  const symbols = new Map(
    checker.getExportsOfModule(checker.getSymbolAtLocation(file)).map((one) => [one.name, one]),
  )
  return (name) => membersOf(checker.getTypeOfSymbolAtLocation(symbols.get(name), file), checker)
}

function textsOf(before, now, text) {
  const at = (age, modules) =>
    [...modules].map(([path, module]) => [join(declarationsRoot, age, path), comparable(module)])
  return new Map([...at('released', before), ...at('current', now), [judgement, text]])
}

function words(message) {
  return ts
    .flattenDiagnosticMessageText(message, ' ')
    .replaceAll(/import\("[^"]*"(?:, \{[^}]*\} \})?\)\./g, '')
    .replaceAll(/(?:released|current)\d+\./g, '')
    .replaceAll(/\s+/g, ' ')
}
