/**
 * Compares what each plugin's code says it requires, the type argument of its `Kit<…>`, with what its manifest says.
 * The compiler checks the one, the gateway grants by the other.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { projectRoot, sourceFiles } from './sources.mjs'

/** Sentences for every plugin where the two differ. */
export function findMismatches() {
  const manifests = sourceFiles(
    (path) => path.endsWith('/manifest.json') && !path.startsWith('test/'),
  )
  return { plugins: manifests.length, faults: manifests.flatMap(faultsOf) }
}

function faultsOf(manifestPath) {
  const modulePath = manifestPath.replace(/manifest\.json$/, 'index.ts')
  if (!existsSync(join(projectRoot, modulePath))) return [`${modulePath} is missing.`]
  const { kind, requires = [] } = JSON.parse(readFileSync(join(projectRoot, manifestPath), 'utf8'))
  const text = readFileSync(join(projectRoot, modulePath), 'utf8')
  const source = ts.createSourceFile(modulePath, text, ts.ScriptTarget.ES2023, true)
  const named = kitArguments(source)
  if (typeof named === 'string') return [`${modulePath}: ${named}.`]
  const due = kitNames[kind] ?? 'Kit'
  const taken = kitName(source)
  return [
    ...(taken === undefined || taken === due
      ? []
      : [`${modulePath}: the kind "${kind}" gets a ${due}, not a ${taken}.`]),
    ...requires
      .filter((name) => !named.includes(name))
      .map((name) => `${modulePath}: the manifest requires "${name}", Kit<…> does not name it.`),
    ...named
      .filter((name) => !requires.includes(name))
      .map((name) => `${modulePath}: Kit<…> names "${name}", the manifest does not require it.`),
  ]
}

/** The kit of each kind; absent: `Kit`. */
const kitNames = {
  provider: 'PureKit',
  format: 'PureKit',
  operation: 'PureKit',
  guard: 'GuardKit',
  oauth: 'OutgoingKit',
  notifier: 'OutgoingKit',
  payment: 'OutgoingKit',
}

/** Name of the kit `create` takes, behind `Pick`, `Readonly` and local aliases; undefined: it takes none. */
function kitName(source) {
  let type = defaultExport(source)?.parameters[0]?.type
  while (type !== undefined && ts.isTypeReferenceNode(type)) {
    const name = type.typeName.getText()
    if (kits.has(name)) return name
    type = passesOn.has(name) ? type.typeArguments?.[0] : aliasOf(name, source)
  }
  return undefined
}

const kits = new Set(['Kit', 'PureKit', 'GuardKit', 'OutgoingKit'])
const passesOn = new Set(['Pick', 'Readonly'])

/** Names in the type argument of the kit `create` takes; a sentence where they cannot be read. */
export function kitArguments(source) {
  const create = defaultExport(source)
  if (create === undefined) return 'it has no default export that takes a kit'
  const kit = create.parameters[0]
  if (kit === undefined) return []
  if (kit.type === undefined) return 'the kit of its default export has no type'
  return namesIn(kit.type, source) ?? `"${kit.type.getText()}" is no Kit<'a' | 'b'>`
}

function defaultExport(source) {
  for (const statement of source.statements) {
    const isDefault = ts.canHaveModifiers(statement)
      ? ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
      : false
    if (ts.isFunctionDeclaration(statement) && isDefault) return statement
    if (ts.isExportAssignment(statement)) return functionOf(statement.expression, source)
  }
  return undefined
}

function functionOf(expression, source) {
  if (ts.isArrowFunction(expression) || ts.isFunctionExpression(expression)) return expression
  if (!ts.isIdentifier(expression)) return undefined
  return source.statements.find(
    (statement) => ts.isFunctionDeclaration(statement) && statement.name?.text === expression.text,
  )
}

/** The names a kit type stands for, through `Pick`, `Partial` and local aliases. */
function namesIn(type, source) {
  if (!ts.isTypeReferenceNode(type)) return undefined
  const name = type.typeName.getText()
  const [argument] = type.typeArguments ?? []
  if (name !== 'Kit' && kits.has(name)) return []
  if (name === 'Kit') return argument === undefined ? [] : literalsOf(argument, source)
  if (passesOn.has(name)) return argument && namesIn(argument, source)
  const alias = aliasOf(name, source)
  return alias && namesIn(alias, source)
}

function literalsOf(type, source) {
  if (ts.isUnionTypeNode(type)) {
    const each = type.types.map((one) => literalsOf(one, source))
    return each.includes(undefined) ? undefined : each.flat()
  }
  if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)) return [type.literal.text]
  if (type.kind === ts.SyntaxKind.NeverKeyword) return []
  const alias = ts.isTypeReferenceNode(type) && aliasOf(type.typeName.getText(), source)
  return alias ? literalsOf(alias, source) : undefined
}

function aliasOf(name, source) {
  return source.statements.find(
    (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === name,
  )?.type
}
