/* Checks a promise. `name` is a variable that is true as long as the promise is kept, so that spin's report names the
   broken one: "assertion violated stored_before_acknowledged". */
#define PROMISE(name, holds) name = (holds); assert(name)

#define OTHER(i) (3 - i)
