/** Every member of a type by its path, optional ones too: what an author may name. */
import ts from 'typescript'
import { declarationsRoot } from './contract-types.mjs'

/** Paths of members; those of objects, lists and functions without a name of their own stand behind that of their member. */
export function membersOf(type, checker) {
  const paths = new Set()
  /** A type that holds itself is read once. */
  const open = new Set()
  read(type, '', true)
  return paths

  function read(one, place, isNamed) {
    if (!isNamed && one.aliasSymbol !== undefined) return
    if (one.isUnionOrIntersection()) {
      for (const part of one.types) read(part, place, isNamed)
      return
    }
    if ((one.flags & ts.TypeFlags.Object) === 0) return
    if (checker.isArrayType(one) || checker.isTupleType(one)) {
      for (const item of checker.getTypeArguments(one)) read(item, `${place}[]`, false)
      return
    }
    if (!isNamed && isDeclared(one)) return
    if (open.has(one)) return
    open.add(one)
    for (const signature of one.getCallSignatures()) readSignature(signature, place)
    for (const member of checker.getPropertiesOfType(one)) {
      if (!isOfProject(member)) continue
      const path = place === '' ? member.name : `${place}.${member.name}`
      if (paths.has(path)) continue
      paths.add(path)
      read(checker.getTypeOfSymbol(member), path, false)
    }
  }

  function readSignature(signature, place) {
    read(signature.getReturnType(), `${place}()`, false)
    for (const [index, parameter] of signature.getParameters().entries()) {
      read(checker.getTypeOfSymbol(parameter), `${place}(${index})`, false)
    }
  }
}

/** An interface or a class; its members are looked at under its own name. */
function isDeclared({ symbol }) {
  return (symbol?.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) !== 0
}

/** Members of packages and of the language are none of the contract's. */
function isOfProject({ declarations = [] }) {
  return declarations.some((one) => one.getSourceFile().fileName.startsWith(declarationsRoot))
}
