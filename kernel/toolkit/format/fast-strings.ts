/**
 * Keeps the methods of strings fast for the whole process. The first class of any library that extends `String` turns
 * their prototype into a slow object, for good: each `charCodeAt` of a loop is then looked up anew.
 */

// V8 makes the prototypes of what it enumerates fast, and remembers that they are to stay so. A plain string would not
// do: it is no object.
for (const key in Object('')) void key
