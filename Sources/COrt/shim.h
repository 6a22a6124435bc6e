// The one symbol of onnxruntime that is looked up by name; everything else goes through its table.
#include <stdint.h>
typedef struct {
  const void *(*GetApi)(uint32_t version);
  const char *(*GetVersionString)(void);
} OrtBase;
const OrtBase *OrtGetApiBase(void);
