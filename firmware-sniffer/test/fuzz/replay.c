/* Runs a fuzz target over files, for compilers without libFuzzer: TAP, one line a file. */
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
    static uint8_t data[1u << 20];
    int i;
    for (i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        size_t size;
        if (file == NULL) {
            printf("not ok %d - %s cannot be read\n", i, argv[i]);
            return 1;
        }
        size = fread(data, 1u, sizeof data, file);
        (void)fclose(file);
        (void)LLVMFuzzerTestOneInput(data, size);
    }
    /* A target that finds fault aborts. */
    printf("%s 1 - %d inputs\n1..1\n", (argc > 1) ? "ok" : "not ok", argc - 1);
    return (argc > 1) ? 0 : 1;
}
